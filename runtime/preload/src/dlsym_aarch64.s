stp x29, x30, [sp, #-32]!
mov x29, sp
stp x0, x1, [sp, #16]
bl {hook}
mov x16, x0
ldp x0, x1, [sp, #16]
ldp x29, x30, [sp], #32
cbz x16, 2f
mov x0, x16
ret
2:
adrp x16, {real}
ldr x16, [x16, #:lo12:{real}]
br x16
