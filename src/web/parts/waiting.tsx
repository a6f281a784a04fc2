import { Center, Loader } from '@mantine/core';
import { commonWords } from '../words/common.ts';

/** While the first things are asked for. */
export const Waiting = () => (
  <Center mih="60vh">
    <Loader aria-label={commonWords.loading} role="status" />
  </Center>
);
