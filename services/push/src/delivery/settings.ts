// The measures of the delivery queue.

export interface DeliverySettings {
  /** Milliseconds between two looks at the queue when nobody wakes it. */
  pollMs: number;
  /** The lease of a delivery. A live worker prolongs it. */
  leaseMs: number;
  /** A send without an outcome for so long is one of which nobody knows. */
  longestSendMs: number;
  /** Pushes that are in flight at once in this process, over all apps. */
  mostUnderWay: number;
  /**
   * Pushes of one app, over both providers, that are begun and whose outcome is not stored. A worker that is killed sends no
   * more than these to anybody again.
   */
  mostInFlight: number;
  /** Deliveries that are taken at once: under way, waiting for their turn, and not written down yet. */
  mostHeld: number;
  /** Devices in a page of an expansion. */
  pageSize: number;
  /** An older outcome that was not published is published by the worker that finds it. */
  untoldMs: number;
  /** Milliseconds that a stop may take. */
  stopMs: number;
}

export const defaultSettings: DeliverySettings = {
  pollMs: 1_000,
  leaseMs: 60_000,
  longestSendMs: 300_000,
  mostUnderWay: 2_000,
  mostInFlight: 700,
  mostHeld: 4_000,
  pageSize: 1_000,
  untoldMs: 15_000,
  stopMs: 8_000,
};
