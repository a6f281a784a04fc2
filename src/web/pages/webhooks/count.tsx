import { useTranslation } from 'react-i18next';
import { backlogCap, backlogCapOfLists } from '../../../shared/webhooks/schema.ts';

type Props = { count: number; of: 'list' | 'one' };

/** A number of deliveries, which is counted up to a limit. */
export const Count = ({ count, of }: Props) => {
  const { t } = useTranslation('webhooks');
  const cap = of === 'list' ? backlogCapOfLists : backlogCap;
  return count >= cap ? t('atLeast', { number: (cap - 1).toLocaleString() }) : count.toLocaleString();
};
