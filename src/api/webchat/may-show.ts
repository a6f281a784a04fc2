import type { Webchat } from '../../shared/messages/webchat/find-visit.ts';

/** Whether a page of this origin may show the webchat: one of the channel's, or of this installation, for the demo page. */
export const mayShow = (
  { config }: Pick<Webchat, 'config'>,
  origin: string,
  own: { baseUrl: string; host: string },
): boolean =>
  (Array.isArray(config['origins']) && config['origins'].includes(origin)) ||
  origin === new URL(own.baseUrl).origin ||
  URL.parse(origin)?.host === own.host;
