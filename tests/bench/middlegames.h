// Different positions of the kind that people analyse.

#ifndef KIBITZ_TESTS_BENCH_MIDDLEGAMES_H_
#define KIBITZ_TESTS_BENCH_MIDDLEGAMES_H_

#include <string>
#include <vector>

namespace kibitz::bench {

// FENs, the same each time: random openings that the engine has played on for some moves.
std::vector<std::string> Middlegames(int count);

}  // namespace kibitz::bench

#endif  // KIBITZ_TESTS_BENCH_MIDDLEGAMES_H_
