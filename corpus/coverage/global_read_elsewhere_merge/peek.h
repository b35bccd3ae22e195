// A function of another file.
#pragma once
float peek();
