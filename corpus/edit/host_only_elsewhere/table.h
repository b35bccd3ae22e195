// A function of another file.
#pragma once
int table_entry(int index);
