// A logger for the Kafka client that writes nothing. The client's final error already contains what it logs about its
// retries.
export const quiet = { debug() {}, info() {}, warn() {}, error() {} };
