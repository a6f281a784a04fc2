import { Stack } from '@mantine/core';
import type { BlockFormProps } from '../panel/block-form.ts';
import { RetryPart } from './retry-part.tsx';
import { SuccessPart } from './success-part.tsx';

/** Which answers are a success, and what becomes of a request that fails. */
export const ErrorsPart = (props: BlockFormProps) => (
  <Stack gap="lg">
    <SuccessPart {...props} />
    <RetryPart {...props} />
  </Stack>
);
