// The modules that build/guides.ts makes out of docs/.

declare module 'virtual:guides' {
  export interface GuideHeading {
    id: string;
    text: string;
    /** 2 for the highest below the title. */
    level: number;
  }

  export interface GuideText {
    /** Trusted: it is part of the build. */
    html: string;
    headings: GuideHeading[];
  }

  export interface Guide {
    /** The path below `/docs/`. Empty for the index. */
    slug: string;
    /** Empty for the index. */
    section: '' | 'guides' | 'operations' | 'reference' | 'explanation';
    title: string;
    load(): Promise<GuideText>;
  }

  export const guides: readonly Guide[];
}

declare module 'virtual:guide-texts' {
  /** A guide from one heading to the next. */
  interface Passage {
    slug: string;
    title: string;
    heading: string;
    /** The anchor of the heading. */
    id: string;
    text: string;
  }
  const passages: readonly Passage[];
  export default passages;
}
