// What the two files share.
double work(int n);
