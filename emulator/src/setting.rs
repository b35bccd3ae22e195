//! Under which freedoms of CUDA a program runs.

/// The order in which operations run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// As soon as they are submitted.
    Eager,
    /// As late as the host's waits allow.
    Late,
    /// Late, other streams first.
    OthersFirst,
    /// At random, by seed.
    Random(u64),
}

/// One way to run a program. Equal settings give equal runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The order of operations.
    pub order: Order,
    /// Whether the host may touch managed memory while the device works (`concurrentManagedAccess`).
    pub concurrent_access: bool,
    /// 0 no race detector, 1 races, 2 also reads of bytes nobody wrote. Needs a program compiled with `race`.
    pub race: u8,
    /// Pairs (host allocation, cudaMalloc call) to merge while running.
    pub unify: Vec<(u32, u32)>,
    /// Print the pairs of allocations that copies join.
    pub list_pairs: bool,
    /// Further variables.
    pub other: Vec<(String, String)>,
}

impl Setting {
    /// Concurrent access, no detector, no merging.
    pub fn new(order: Order) -> Self {
        Self {
            order,
            concurrent_access: true,
            race: 0,
            unify: Vec::new(),
            list_pairs: false,
            other: Vec::new(),
        }
    }

    /// The variables that make a process run so.
    pub fn environment(&self) -> Vec<(String, String)> {
        let (order, seed) = match self.order {
            Order::Eager => ("eager", 1),
            Order::Late => ("late", 1),
            Order::OthersFirst => ("others", 1),
            Order::Random(seed) => ("rand", seed),
        };
        let unify: Vec<String> =
            self.unify.iter().map(|(host, device)| format!("{host}:{device}")).collect();
        let mut variables = vec![
            ("ECHO_SCHED".to_owned(), order.to_owned()),
            ("ECHO_SEED".to_owned(), seed.to_string()),
            ("ECHO_CMA".to_owned(), u8::from(self.concurrent_access).to_string()),
            ("ECHO_RACE".to_owned(), self.race.to_string()),
            ("ECHO_UNIFY".to_owned(), unify.join(",")),
            ("ECHO_PAIRS".to_owned(), u8::from(self.list_pairs).to_string()),
        ];
        variables.extend(self.other.iter().cloned());
        variables
    }
}

impl std::fmt::Display for Setting {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.order {
            Order::Eager => write!(formatter, "eager")?,
            Order::Late => write!(formatter, "late")?,
            Order::OthersFirst => write!(formatter, "others-first")?,
            Order::Random(seed) => write!(formatter, "random seed {seed}")?,
        }
        if !self.concurrent_access {
            write!(formatter, ", concurrentManagedAccess=0")?;
        }
        if self.race > 0 {
            write!(formatter, ", race detector")?;
        }
        Ok(())
    }
}

/// Eager, late, others-first and `random` seeds from 1 on.
pub fn all_settings(random: u64) -> Vec<Setting> {
    let mut orders = vec![Order::Eager, Order::Late, Order::OthersFirst];
    orders.extend((1..=random).map(Order::Random));
    orders.into_iter().map(Setting::new).collect()
}
