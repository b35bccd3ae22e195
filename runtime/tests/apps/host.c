/* A program whose CUDA part lives in a shared object. */
int run(int argc, char **argv);
int main(int argc, char **argv) { return run(argc, argv); }
