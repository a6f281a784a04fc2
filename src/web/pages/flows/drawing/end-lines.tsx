import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isEnd, type DrawnBlock } from './read-flow.ts';

/** The ways out of a block that lead to no other, each in a line: "timeout: the run fails". */
export const EndLines = ({ ways }: Pick<DrawnBlock, 'ways'>) => {
  const { t } = useTranslation('drawing');
  return ways.filter(isEnd).map((way) => (
    <Text key={way.ports.join()} size="xs" truncate className="block-end" data-is-missing={'missing' in way}>
      {way.ports.join() !== 'default' && `${way.ports.join(', ')} → `}
      {'end' in way ? t(`ends.${way.end}`) : 'missing' in way && t('missing', { block: way.missing })}
    </Text>
  ));
};
