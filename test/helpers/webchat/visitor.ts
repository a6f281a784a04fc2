import { randomUUID } from 'node:crypto';
import { hashIdentity } from '../../../src/shared/messages/webchat/identity.ts';
import type { ShownMessage, ShownThread } from '../../../src/shared/messages/webchat/show-thread.ts';
import type { Incoming, Outgoing, TestAccount, TestApi } from '../api.ts';

/** A webchat as its creation answers it. */
export type TestWebchat = { id: string; secret: string };

export const site = 'https://shop.example';

/** Creates a webchat that `site` may show. */
export const aWebchat = async (
  api: Pick<TestApi, 'request'>,
  { apiKey }: Pick<TestAccount, 'apiKey'>,
  fields: object = {},
): Promise<TestWebchat> => {
  const body = { type: 'webchat', name: 'Shop', origins: [site], ...fields };
  return (await api.request<TestWebchat>('POST', '/v1/channels', { key: apiKey, body })).body;
};

/** The answer to a message of a visitor. */
type Written = { visitor_token?: string; message: ShownMessage; revision: number };

/** The widget in the browser of a visitor, as far as it asks. It keeps the token that it gets. */
export type TestVisitor = {
  token: string | undefined;
  /** Asks a route of the webchat. */
  ask: <Body = unknown>(method: string, path: string, outgoing?: Outgoing) => Promise<Incoming<Body>>;
  say: (text: string, more?: object) => Promise<Incoming<Written>>;
  read: (query?: string) => Promise<ShownThread>;
  upload: (file: Buffer, name: string) => Promise<Incoming<{ id: string; url: string }>>;
  identify: (identity: object) => Promise<Incoming<{ visitor_token: string }>>;
};

/** A visitor of a webchat, on a page of `site`. */
export const aVisitor = (
  api: Pick<TestApi, 'request'>,
  { id }: Pick<TestWebchat, 'id'>,
  given: { address?: string } = {},
): TestVisitor => {
  const visitor: TestVisitor = {
    token: undefined,
    ask: (method, path, { body, headers = {} } = {}) =>
      api.request(method, `/webchat/${id}${path}`, {
        body,
        headers: {
          origin: site,
          ...(visitor.token !== undefined && { 'x-visitor-token': visitor.token }),
          ...(given.address !== undefined && { 'x-forwarded-for': given.address }),
          ...headers,
        },
      }),
    say: async (text, more = {}) => {
      const answer = await visitor.ask<Written>('POST', '/messages', {
        body: { client_id: randomUUID(), text, ...more },
      });
      visitor.token = answer.body.visitor_token ?? visitor.token;
      return answer;
    },
    read: async (query = '') => (await visitor.ask<ShownThread>('GET', `/changes${query}`)).body,
    upload: (body, name) =>
      visitor.ask('POST', `/media?name=${name}`, { body, headers: { 'content-type': 'application/octet-stream' } }),
    identify: async (identity) => {
      const answer = await visitor.ask<{ visitor_token: string }>('POST', '/identify', { body: identity });
      visitor.token = answer.body.visitor_token ?? visitor.token;
      return answer;
    },
  };
  return visitor;
};

/** A new account, with a webchat that has these fields, and somebody on a page of it who has not written. */
export const aChat = async (
  api: TestApi,
  fields: object = {},
): Promise<{ account: TestAccount; channel: TestWebchat; visitor: TestVisitor }> => {
  const account = await api.createAccount();
  const channel = await aWebchat(api, account, fields);
  return { account, channel, visitor: aVisitor(api, channel) };
};

/** In seconds since 1970, so many from now. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;

/** What an account's server says of a person. */
export const anIdentity = (secret: string, external_id: string, expires_at = inSeconds(3_600)) => ({
  external_id,
  expires_at,
  hash: hashIdentity(secret, { external_id, expires_at }),
});
