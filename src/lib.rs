//! The command lines of Echo: arguments, configuration, wording of reports, exit codes.
