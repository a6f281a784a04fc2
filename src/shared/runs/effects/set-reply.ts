import type { EffectKind, EffectOf } from './effect.ts';

/** What `reply.…` means from now on: the run's row keeps it. */
export const setReply: EffectKind<EffectOf<'set_reply'>> = {
  phase: 'run',
  see: ({ context }, { text, attachment }) => ({
    context: { ...context, run: { ...context.run, reply: { text, ...(attachment && { attachment }) } } },
  }),
};
