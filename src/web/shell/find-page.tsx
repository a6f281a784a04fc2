import '@mantine/spotlight/styles.css';
import { ActionIcon, Tooltip } from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { mayAs } from '../api/session.ts';
import { pages } from '../pages.ts';
import { useSignedIn } from './session-context.ts';

/** Goes to a page by its name: Ctrl+K, or ⌘K. */
export const FindPage = () => {
  const { t } = useTranslation(['shell', 'nav']);
  const session = useSignedIn();
  const navigate = useNavigate();
  const actions = pages.flatMap(({ path, nav, role = 'agent' }) =>
    nav && mayAs(role, session)
      ? [
          {
            id: path,
            label: t(`nav:pages.${nav.words}`),
            description: t(`nav:sections.${nav.section}`),
            onClick: () => void navigate(path),
            leftSection: <nav.icon size={20} stroke={1.6} aria-hidden />,
          },
        ]
      : [],
  );
  return (
    <>
      <Tooltip label={t('findPage')}>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t('findPage')} onClick={() => spotlight.open()}>
          <IconSearch size={20} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <Spotlight
        actions={actions}
        highlightQuery
        nothingFound={t('nothingFound')}
        searchProps={{ placeholder: t('findPagePlaceholder'), 'aria-label': t('findPage') }}
      />
    </>
  );
};
