import 'react';

declare module 'react' {
  interface CSSProperties {
    /** The width and height of avatars and icons of kinds. */
    '--size'?: string;
  }
}
