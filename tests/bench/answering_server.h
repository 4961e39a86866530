// A server that does nothing: what is left of a call when all its work is taken away.

#ifndef KIBITZ_TESTS_BENCH_ANSWERING_SERVER_H_
#define KIBITZ_TESTS_BENCH_ANSWERING_SERVER_H_

namespace kibitz::bench {

// The method that it has.
inline constexpr char kAnswerMethod[] = "/kibitz.bench.Answering/Answer";

// Answers every call with so many bytes, by the same queues and threads as the real server, but without the steps of
// its chain, its metrics and its message types. Serves until it is killed; gives its exit code.
int ServeAnswers(int bytes);

}  // namespace kibitz::bench

#endif  // KIBITZ_TESTS_BENCH_ANSWERING_SERVER_H_
