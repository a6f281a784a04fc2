import { setNonce } from 'get-nonce';

let nonce = '';

/** Finds the nonce of this page's answer, without which its policy lets no style in. Scroll locks take it from `get-nonce`. */
export const readNonce = (): void => {
  nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
  if (nonce !== '') setNonce(nonce);
};

/** What a style element that is made in the page needs. */
export const styleNonce = (): string => nonce;
