// A function of another file.
#pragma once
extern float* h_v;
float peek();
