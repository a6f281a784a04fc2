import { Select, type SelectProps } from '@mantine/core';
import { commonWords } from '../words/common.ts';

/** The most time zones that are shown at a time; typing finds the others. */
const shownAtMost = 50;

type Props = Omit<SelectProps, 'data'> & {
  /** The zone that is set, which is offered in any case. */
  set: string;
};

/** Chooses one of the time zones that the browser knows. */
export const TimeZoneSelect = ({ set, ...props }: Props) => (
  <Select
    data={[...new Set(['UTC', set, ...Intl.supportedValuesOf('timeZone')])]}
    searchable
    allowDeselect={false}
    limit={shownAtMost}
    nothingFoundMessage={commonWords.noTimeZone}
    {...props}
  />
);
