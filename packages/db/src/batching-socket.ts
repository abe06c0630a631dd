import net from 'node:net';

/**
 * Sends what is written in one turn of the event loop as one packet. The driver writes each statement by itself; those of a
 * transaction are sent together, and each packet would cost both processes a system call and PostgreSQL a wake-up.
 */
export function batchingSocket(): net.Socket {
  const socket = new net.Socket();
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let held = false;
  socket.write = (...args: unknown[]) => {
    if (!held) {
      held = true;
      socket.cork();
      process.nextTick(() => {
        held = false;
        socket.uncork();
      });
    }
    return write(...args);
  };
  return socket;
}
