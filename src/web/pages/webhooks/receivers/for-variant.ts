import type { Variant } from '../../../../shared/facts/names.ts';

const challenge = /^[ \t]*(?:\/\/|#) Only for a dashboard webhook: [^]*?^[ \t]*(?:\/\/|#) End of the challenge\.\n/m;

/** A receiver as a webhook of this variant needs it: only one of the dashboard returns challenges (specification 2.4). */
export const forVariant = (source: string, variant: Variant): string =>
  variant === 'api'
    ? source.replace(challenge, '')
    : source
        .replace(/^([ \t]*(?:\/\/|#)) Only for a dashboard webhook: a/m, '$1 A')
        .replace(/^[ \t]*(?:\/\/|#) End of the challenge\.\n/m, '');
