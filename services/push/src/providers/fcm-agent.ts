// The connections to FCM of one app. firebase-admin would send again by itself, up to five times: at once after a 503, and
// also after a reset, when FCM may have taken the push. This agent lets each push out once and notes how far it came.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientRequest } from 'node:http';
import { Agent, type AgentOptions } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How far one push came. */
export interface Attempt {
  request: ClientRequest | null;
  /** What it went over. */
  socket: Socket | null;
  /** The access token that it had. */
  accessToken: string | null;
  /** Of an answer that has begun to come: FCM has decided. */
  answered: number | null;
  /** Of an answer that came in full. */
  status: number | null;
  retryAfter: string | undefined;
  /** Sending is over, also for a request that has not begun. */
  over: boolean;
  /** It goes out. */
  onBegun: () => void;
}

/** Node's own, that its types leave out: `agent-base` lives on it. */
interface AddsRequests {
  addRequest(request: ClientRequest, options: object): void;
}
const addRequest = (Agent.prototype as unknown as AddsRequests).addRequest;

export class FcmAgent extends Agent {
  readonly #attempts = new AsyncLocalStorage<Attempt>();
  /** Connections whose handshake is done. */
  readonly #stood = new WeakSet<Duplex>();

  constructor(options: AgentOptions) {
    super({ ...options, keepAlive: true });
  }

  /** What `send` asks for belongs to the attempt. */
  attempt<T>(attempt: Attempt, send: () => T): T {
    return this.#attempts.run(attempt, send);
  }

  /** Whether FCM may have it. */
  mayHave({ socket }: Attempt): boolean {
    return socket !== null && this.#stood.has(socket);
  }

  override createConnection(...args: Parameters<Agent['createConnection']>): ReturnType<Agent['createConnection']> {
    const socket = super.createConnection(...args);
    socket?.once('secureConnect', () => this.#stood.add(socket));
    return socket;
  }

  /** Called by Node for every request. */
  addRequest(request: ClientRequest, options: object): void {
    const attempt = this.#attempts.getStore();
    if (attempt) {
      // Thrown into firebase-admin, which gives up.
      if (attempt.over || attempt.request) throw new Error('a push is sent once');
      follow(attempt, request);
    }
    addRequest.call(this, request, options);
  }
}

function follow(attempt: Attempt, request: ClientRequest): void {
  attempt.request = request;
  attempt.accessToken = String(request.getHeader('authorization') ?? '').replace(/^Bearer /, '');
  attempt.onBegun();
  request.once('socket', (socket) => {
    attempt.socket = socket;
  });
  request.once('response', (response) => {
    attempt.answered = response.statusCode ?? null;
    attempt.retryAfter = response.headers['retry-after'];
    // firebase-admin would sleep on it before it gives up, for up to a minute.
    delete response.headers['retry-after'];
    response.once('end', () => {
      attempt.status = response.statusCode ?? null;
    });
  });
}
