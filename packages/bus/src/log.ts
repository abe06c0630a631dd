// The logger that the bus needs. Pino's fits.

type Write = (fields: object, message: string) => void;

export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}
