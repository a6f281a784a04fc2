import { beforeEach } from 'vitest';
import type { Incoming, TestApi } from './api.ts';

type Refused = { error: { code: string; details: { path: string; message: string }[] } };

/** The dashboard's API for somebody who is not signed in. */
export type SignedOut = {
  call: (method: string, path: string, body: unknown, headers?: Record<string, string>) => Promise<Incoming<Refused>>;
  signIn: (email: string, password: string) => Promise<Incoming<Refused>>;
  /** Asks for the mail of a forgotten password. */
  forgot: (email: string) => Promise<Incoming<Refused>>;
  reset: (token: string, password?: string) => Promise<Incoming<Refused>>;
  /** Accepts an invitation. */
  accept: (token: string, changes?: object) => Promise<Incoming<Refused>>;
  /** From now on calls come from another network. */
  moveOn: () => void;
};

/** Each test calls from a network of its own, since budgets count by it, where `api` trusts every proxy. */
export const useSignedOut = (api: TestApi): SignedOut => {
  let network = 0;
  const moveOn = (): void => {
    network += 1;
  };
  beforeEach(moveOn);
  const call: SignedOut['call'] = (method, path, body, headers = {}) =>
    api.request(method, `/dashboard/api${path}`, {
      headers: { origin: api.url, 'x-forwarded-for': `198.51.100.${network}`, ...headers },
      body,
    });
  return {
    call,
    signIn: (email, password) => call('POST', '/session', { email, password }),
    forgot: (email) => call('POST', '/password-reset', { email }),
    reset: (token, password = 'battery staple') => call('PUT', '/password-reset', { token, new_password: password }),
    accept: (token, changes = {}) =>
      call('POST', '/invitations/accept', { token, password: 'battery staple', ...changes }),
    moveOn,
  };
};
