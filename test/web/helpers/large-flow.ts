import { aFlowDefinition } from '../../helpers/flows.ts';

/** A flow of this many blocks, with a question in every fifth that leads on in two ways. */
export const aLargeFlow = (count: number) =>
  aFlowDefinition({
    blocks: Array.from({ length: count }, (_, place) => {
      const at = (other: number) => (other < count ? `block_${other}` : null);
      return place % 5 === 4
        ? {
            id: `block_${place}`,
            type: 'ask',
            prompt: `Question ${place}?`,
            next: { answered: at(place + 1), invalid: at(place + 3), timeout: null },
          }
        : {
            id: `block_${place}`,
            type: 'send',
            messages: [{ text: `Message ${place}` }],
            next: { default: at(place + 1) },
          };
    }),
  });
