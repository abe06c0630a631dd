// The names of topics and groups. A prefix keeps several installations on one cluster apart.

export type Names = ReturnType<typeof names>;

/** The number of partitions of the reply topic, which all instances share. Each instance reads one fixed partition. */
export const REPLY_PARTITIONS = 16;

export function names(prefix = '') {
  return {
    topic: (topic: string): string => `${prefix}${topic}`,
    group: (group: string): string => `${prefix}${group}`,
    replies: `${prefix}landfall.replies`,
    /** The topic of a group's dead letters. */
    dead: (group: string): string => `${prefix}dead.${group}`,
    /** The topic of a group's replays. Only this group reads it. */
    retry: (group: string): string => `${prefix}retry.${group}`,
    /** The group of one process that reads new messages only. Its offsets are never stored. */
    live: (instance: string): string => `${prefix}live.${instance}`,
    isLive: (group: string): boolean => group.startsWith(`${prefix}live.`),
    /** Returns the name of a topic or group without the prefix; undefined when it belongs to another installation. */
    plain: (name: string): string | undefined => (name.startsWith(prefix) ? name.slice(prefix.length) : undefined),
    prefix,
  };
}
