// Finds the end of an HTTP response. Supports only the responses of the servers in this folder: one response at a time,
// with a Content-Length.

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: *(\d+)\r\n/i;

/**
 * Returns a function that takes the chunks of a connection. It passes each complete response to `onAnswer`, with one
 * character for each byte.
 */
export function answerReader(
  onAnswer: (answer: string) => void,
  onError: (error: Error) => void,
): (chunk: Buffer) => void {
  let received = '';
  return (chunk) => {
    received += chunk.toString('latin1');
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const length = LENGTH.exec(received.slice(0, headEnd + 2))?.[1];
    if (length === undefined) return onError(new Error(`an answer without Content-Length: ${received}`));
    const missing = headEnd + HEAD_END.length + Number(length) - received.length;
    if (missing > 0) return;
    if (missing < 0) return onError(new Error(`more came than was asked for: ${received}`));
    const answer = received;
    received = '';
    onAnswer(answer);
  };
}
