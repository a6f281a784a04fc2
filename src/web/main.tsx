import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './look/colors.css';
import './look/cards.css';
import './look/status.css';
import './look/fill.css';
import './look/shell.css';
import './page.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { config } from 'zod/mini';
import { sayIssue } from '../shared/platform/say-issue.ts';
import { App } from './app.tsx';
import { readNonce } from './nonce.ts';
import { reloadOnce } from './shell/reload-once.ts';

readNonce();

// A form says of a wrong field what the API would say of it.
config({ customError: sayIssue });

addEventListener('vite:preloadError', reloadOnce);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
