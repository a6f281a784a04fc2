import { createHash } from 'node:crypto';

/** Proofs that held a moment ago. None of them is proof by itself: each request is proved anew. */
export type KnownProofs = {
  has: (proof: string) => boolean;
  add: (proof: string) => void;
  /** It holds no more. */
  drop: (proof: string) => void;
};

/** Keeps hashes of at most `maxProofs`, the latest ones, each for ten minutes. */
export const createKnownProofs = ({
  maxProofs = 10_000,
  forMs = 600_000,
  now = () => performance.now(),
} = {}): KnownProofs => {
  const known = new Map<string, number>();
  const keyOf = (proof: string): string => createHash('sha256').update(proof).digest('base64');
  return {
    has: (proof) => (known.get(keyOf(proof)) ?? -Infinity) > now() - forMs,
    drop: (proof) => void known.delete(keyOf(proof)),
    add: (proof) => {
      const key = keyOf(proof);
      // The latest stand last.
      known.delete(key);
      known.set(key, now());
      const [oldest] = known.keys();
      if (oldest !== undefined && known.size > maxProofs) known.delete(oldest);
    },
  };
};
