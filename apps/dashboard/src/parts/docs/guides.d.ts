// The modules that build/guides.ts makes out of docs/.

declare module 'virtual:guides' {
  /** A page. Its HTML is trusted: it is part of the build. Level 2 is the highest of its headings. */
  export type GuideText = Omit<import('../../../build/guides.ts').Rendered, 'title'>;

  export interface Guide {
    /** The path below `/docs/`. */
    slug: string;
    section: 'guides' | 'operations' | 'reference' | 'explanation' | 'clients';
    title: string;
    /** Its purpose, in a line. May be empty. */
    about: string;
    load(): Promise<GuideText>;
  }

  export const guides: readonly Guide[];
}

declare module 'virtual:guide-texts' {
  const passages: readonly import('../../../build/guides.ts').Passage[];
  export default passages;
}
