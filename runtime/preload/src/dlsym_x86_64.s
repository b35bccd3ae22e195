push rdi
push rsi
sub rsp, 8
call {hook}
add rsp, 8
pop rsi
pop rdi
test rax, rax
jnz 2f
mov rax, qword ptr [rip + {real}]
jmp rax
2:
ret
