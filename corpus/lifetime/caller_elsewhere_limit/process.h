#pragma once

void process(float* samples, int n);
