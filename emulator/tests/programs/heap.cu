// realloc keeps the contents, also over many blocks; calloc is zero; C++ containers and new work beside them.
//= 4950 0 kept 100000
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>
int main() {
    int *a = nullptr;
    for (int n = 1; n <= 100; n++) {
        a = (int *)realloc(a, n * sizeof(int));
        a[n - 1] = n - 1;
    }
    long sum = 0;
    for (int i = 0; i < 100; i++) sum += a[i];
    char *z = (char *)calloc(1000, 3);
    int nonzero = 0;
    for (int i = 0; i < 3000; i++) nonzero += z[i] != 0;
    char *text = (char *)malloc(6);
    strcpy(text, "kept");
    text = (char *)realloc(text, 100000);
    std::map<int, std::string> names;
    std::vector<std::unique_ptr<int[]>> blocks;
    // More blocks than can have pages of their own.
    std::vector<int *> many;
    for (int i = 0; i < 100000; i++) many.push_back((int *)malloc(sizeof(int))), *many[i] = i;
    for (int i = 0; i < 100; i++) names[i] = std::string(1000, 'a'), blocks.emplace_back(new int[100]);
    int good = 0;
    for (int i = 0; i < 100000; i++) good += *many[i] == i, free(many[i]);
    printf("%ld %d %s %d\n", sum, nonzero, text, good);
    free(a), free(z), free(text);
}
