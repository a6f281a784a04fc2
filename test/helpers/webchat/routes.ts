import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { createDoors } from '../../../src/api/app.ts';
import {
  identifyBody,
  readBody,
  returnBody,
  typingBody,
  visitorMessage,
} from '../../../src/shared/messages/webchat/schema.ts';
import type { TestApi } from '../api.ts';

/** A route of a webchat, and a request to it. */
export type WebchatRoute = {
  /** As the router has it, such as `POST /:id/read`. */
  route: string;
  method: 'GET' | 'POST';
  /** Below the channel. */
  path: string;
  /** Whether it is for visitors alone: nobody else has anything to do there. */
  isOfVisitor: boolean;
  /** A JSON body with every field, or the bytes of a file; undefined where it takes none. */
  body?: () => Record<string, unknown> | Buffer;
  /** That of a JSON body. */
  schema?: z.ZodType;
};

type Row = Pick<WebchatRoute, 'body' | 'schema'> & Partial<Pick<WebchatRoute, 'isOfVisitor' | 'path'>>;

const anyHash = 'a'.repeat(64);

/** Every route but OPTIONS. identity.test.ts fails for one that the router has and this table has not. */
const table: Readonly<Record<string, Row>> = {
  'GET /:id/demo': {},
  'GET /:id/config': {},
  'POST /:id/messages': {
    schema: visitorMessage,
    body: () => ({
      client_id: randomUUID(),
      text: 'What is my order?',
      attachments: [],
      context: {
        url: 'https://shop.example/',
        referrer: 'https://search.example/',
        title: 'Shop',
        language: 'en',
        time_zone: 'UTC',
      },
    }),
  },
  'GET /:id/changes': { isOfVisitor: true },
  'GET /:id/stream': { isOfVisitor: true },
  'POST /:id/read': { schema: readBody, isOfVisitor: true, body: () => ({ revision: 1_000 }) },
  'POST /:id/typing': { schema: typingBody, isOfVisitor: true, body: () => ({ is_typing: true }) },
  'POST /:id/identify': {
    schema: identifyBody,
    body: () => ({
      external_id: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
      expires_at: Math.floor(Date.now() / 1_000) + 60,
      hash: anyHash,
      email_hash: anyHash,
    }),
  },
  'POST /:id/return': { schema: returnBody, body: () => ({ token: 'a'.repeat(43) }) },
  'POST /:id/media': { isOfVisitor: true, body: () => Buffer.from('a file'), path: '/media?name=a.txt' },
  'GET /:file': { path: '.js' },
  'GET /:id/:part': { path: '/widget-none.js' },
};

/** Routes that serve the files of the widget: the same for everybody. */
const ofFiles = new Set(['GET /:file', 'GET /:id/:part']);

const routeOf = ([route, { body, schema, path, isOfVisitor = false }]: [string, Row]): WebchatRoute => {
  const [method, place = ''] = route.split(' ');
  const row = {
    route,
    path: path ?? place.replace('/:id', ''),
    isOfVisitor,
    ...(body && { body }),
    ...(schema && { schema }),
  };
  return { ...row, method: method === 'POST' ? 'POST' : 'GET' };
};

/** Every route, those of the files too. */
export const allRoutes: readonly WebchatRoute[] = Object.entries(table).map(routeOf);

/** Every route that asks something of a channel. */
export const routesOfChannel: readonly WebchatRoute[] = allRoutes.filter(({ route }) => !ofFiles.has(route));

/** What the widget asks from pages of other sites: each needs an OPTIONS of its own. */
export const routesOfPages: readonly WebchatRoute[] = routesOfChannel.filter(({ path }) => path !== '/demo');

/** The routes of webchats that the API serves, with their methods. */
export const servedRoutes = ({ deps }: Pick<TestApi, 'deps'>): string[] =>
  createDoors(deps, [])
    .filter(({ prefix }) => prefix === '/webchat')
    .flatMap(({ pages = [] }) => pages)
    .flatMap(({ stack }) => stack)
    .flatMap(({ methods, path }) => methods.map((method) => `${method} ${String(path)}`))
    .filter((route) => !route.startsWith('HEAD '));
