/** Who the visitor is, as the site's server says: `hash` is its proof, and `email_hash` that of the address. */
export type Identity = {
  external_id: string;
  name?: string;
  email?: string;
  expires_at: string | number;
  hash: string;
  email_hash?: string;
};

/** What `message` tells of a message of the business. */
type Heard = { id: string; text: string; author: 'bot' | 'agent'; author_name: string | null };

/** What pages can hear of, and with what. */
export type PageEvents = {
  ready: undefined;
  open: undefined;
  close: undefined;
  message: Heard;
  unread: number;
};

/** What a widget does when its page asks. */
export type Commands = {
  open: () => void;
  close: () => void;
  toggle: () => void;
  /** Makes the visitor this person, or a stranger again. Rejects when the proof is refused. */
  identify: (identity: Identity | null) => Promise<void>;
};

/** `window.ParleyWebchat`. */
export type PageApi = Commands & {
  /** Answers what ends it. */
  on: <E extends keyof PageEvents>(event: E, listener: (told: PageEvents[E]) => void) => () => void;
  /** Takes everything of the chat off the page. What is stored stays, so that the visitor's conversation does. */
  destroy: () => void;
  /** Makes a call, as `['open']`. Pages put calls into an array of this name before the loader is there. */
  push: (...calls: Call[]) => void;
};

/** The name of a method and what it is given. */
export type Call = [name: string, ...args: unknown[]];

declare global {
  interface Window {
    ParleyWebchat?: PageApi | Call[];
  }
}
