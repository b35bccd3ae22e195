"""A convolution in PyTorch with host tensors in and out, as simple inference scripts have it.

Usage: torch_conv.py ROUNDS [fresh]   (fresh: a new result tensor per round)
Sizes are whole multiples of the caching allocator's granule (2 MiB): others do not pair.
"""
import hashlib
import json
import sys
import time

import torch

rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
fresh = "fresh" in sys.argv[2:]
torch.backends.cudnn.deterministic = True
torch.backends.cudnn.benchmark = False
torch.manual_seed(1)
model = torch.nn.Conv2d(3, 64, 7, 2, 3, bias=False).cuda()
x = torch.rand(32, 3, 256, 256)
d = x.cuda()
y = torch.empty(32, 64, 128, 128)
times, total = [], 0.0
with torch.no_grad():
    for _ in range(rounds + 10):
        x.mul_(0.999)
        start = time.perf_counter()
        d.copy_(x)
        if fresh:
            y = model(d).cpu()
        else:
            y.copy_(model(d))
        torch.cuda.synchronize()
        times.append((time.perf_counter() - start) * 1e3)
        total += float(y[::4, ::8].double().sum())
times = times[10:]
ordered = sorted(times)
mean = sum(times) / len(times)
p99 = ordered[min(len(times) - 1, int(0.99 * len(times)))]
digest = hashlib.sha256(y.numpy().tobytes() + repr(total).encode()).hexdigest()[:16]
print(json.dumps({"name": "torch", "mode": 0, "primary_ms": mean, "loop_ms": mean, "primary_p99": p99, "loop_p99": p99,
                  "digest": digest}))
