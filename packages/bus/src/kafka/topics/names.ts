// The names of topics and groups. A prefix keeps several installations on one cluster apart.

export type Names = ReturnType<typeof names>;

/** Replies of everybody; an instance reads the one partition that it pins. */
export const REPLY_PARTITIONS = 16;

export function names(prefix = '') {
  return {
    topic: (topic: string): string => `${prefix}${topic}`,
    group: (group: string): string => `${prefix}${group}`,
    replies: `${prefix}landfall.replies`,
    /** The topic of a group's dead letters. */
    dead: (group: string): string => `${prefix}dead.${group}`,
    /** The topic of a group's replays; nobody else reads it. */
    retry: (group: string): string => `${prefix}retry.${group}`,
    /** The group of one process that reads what happens from now on. Its offsets are never kept. */
    live: (instance: string): string => `${prefix}live.${instance}`,
    isLive: (group: string): boolean => group.startsWith(`${prefix}live.`),
    /** The group of a topic's or group's name as it is at the broker; undefined when it is another installation's. */
    plain: (name: string): string | undefined => (name.startsWith(prefix) ? name.slice(prefix.length) : undefined),
    prefix,
  };
}
