import { RequestError } from '../../shared/errors.ts';
import type { Webchat } from '../../shared/messages/webchat/find-visit.ts';
import type { ApiContext } from '../http.ts';
import { mayShow } from './may-show.ts';

/** How long a browser keeps what it may ask, in seconds: it asks before each request otherwise. */
const preflightSeconds = 7_200;

/**
 * Lets the page that asks read the answer, also where it is refused: that tells nothing of the channel. Only `requireOrigin` lets a page do more. There
 * are no cookies.
 */
export const letPageRead = (ctx: ApiContext): void => {
  const origin = ctx.get('origin');
  ctx.vary('Origin');
  if (origin !== '') {
    ctx.set('Access-Control-Allow-Origin', origin);
    ctx.set('Access-Control-Expose-Headers', 'Retry-After');
  }
};

/** Answers what a browser may ask of a channel before it asks. */
export const answerPreflight = (ctx: ApiContext): void => {
  ctx.set({
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Allow-Headers': 'Content-Type, X-Visitor-Token',
    'Access-Control-Max-Age': String(preflightSeconds),
  });
  ctx.vary('Access-Control-Request-Headers');
  ctx.status = 204;
};

/** Throws `forbidden` for a page that may not show the webchat, which cannot read the answer then. What is no page says no origin. */
export const requireOrigin = (ctx: ApiContext, channel: Webchat, baseUrl: string): void => {
  const origin = ctx.get('origin');
  if (origin === '' || mayShow(channel, origin, { baseUrl, host: ctx.host })) return;
  ctx.remove('Access-Control-Allow-Origin');
  throw new RequestError('forbidden', `The channel's origins do not have ${origin.slice(0, 300)}. Add it to them.`);
};
