import { keepDoing, type Adversary } from './adversary.ts';

const half = 500_000;

/** Each has a megabyte. */
const bodies = [
  `{"flow": ${'['.repeat(half)}${']'.repeat(half)}}`,
  `{"flow": ${'{"a":'.repeat(half / 4)}0${'}'.repeat(half / 4)}}`,
  `{"flow": [${Array.from({ length: half / 8 }, (_, at) => `{"id":${at}}`).join()}]}`,
  `{"flow": "${'\\u0061'.repeat(half / 4)}"}`,
  `{"flow": ${'9'.repeat(2 * half)}}`,
];

export const largeBodies: Adversary = {
  title: 'Large bodies',
  how: 'a megabyte each: lists in lists, objects in objects, many small objects, one long text, one long number; 20 at a time',
  begin: async (caller) =>
    keepDoing(20, (count) => caller.call('POST', '/flows/import', bodies[count % bodies.length])),
};
