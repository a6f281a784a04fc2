import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { commonWords } from '../words/common.ts';

/** Leads from a list that nothing has come into yet to where messages come from. */
export const ToChannels = () => (
  <Button variant="default" component={Link} to="/settings/channels">
    {commonWords.toChannels}
  </Button>
);
