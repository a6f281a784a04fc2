import type { EventTransaction } from '../../facts/tell.ts';
import type { BlockContext, Effect } from '../../flows/blocks/block.ts';
import type { OpenHandover, RunSnapshot } from '../engine/snapshot.ts';
import type { ReadSnapshot } from '../engine/snapshot-row.ts';

/** An effect of a step. `position` is that of its first message among those of the step. */
export type PlacedEffect<Of extends Effect = Effect> = Of & { step: number; position: number };

/** What the rest of a pass sees of effects: blocks see the context, the engine the handover and the last message. */
export type Seen = { context: BlockContext; handover: OpenHandover | null; lastSeq: number };

/**
 * When an effect is written. `contact` comes first, because nothing else may be written when a contact cannot have what
 * the run wants to give it; `events` comes last, because reactions to events read the run. `run`: the engine writes it with the run's row.
 */
export type Phase = 'contact' | 'conversation' | 'run' | 'flows' | 'events';

/** What later writes of a pass need to know of an effect that was written. */
export type Stored = {
  /** Why the run has to fail instead. Nothing was written. */
  refused?: string | undefined;
  /** The number of the last message that was sent. */
  lastSeq?: number | undefined;
  /** The run that the conversation goes on in; a UUID. */
  switchedTo?: string | undefined;
};

/** A type of effect: what the rest of the pass sees of it, and how and when it is written. */
export type EffectKind<Of extends Effect = Effect> = {
  /** Why the run has to fail instead; null when it can be. */
  refuse?(snapshot: RunSnapshot, effect: Of): string | null;
  /** What it changes of what the rest of the pass sees. */
  see?(seen: Seen, effect: Of): Partial<Seen>;
} & (
  | { phase: 'run' }
  | {
      phase: Exclude<Phase, 'run'>;
      /** Writes effects of this type that follow one another, in the transaction that read the snapshot. */
      store(tx: EventTransaction, effects: readonly PlacedEffect<Of>[], snapshot: ReadSnapshot): Promise<Stored | void>;
    }
);

/** The effect of a type. */
export type EffectOf<Type extends Effect['type']> = Extract<Effect, { type: Type }>;
