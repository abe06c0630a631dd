// The logger interface that the bus needs. A Pino logger fits.

type Write = (fields: object, message: string) => void;

export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}
