// A log for the Kafka client: what it says of its retries is in the error that it ends with.
export const quiet = { debug() {}, info() {}, warn() {}, error() {} };
