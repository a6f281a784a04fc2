import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './page.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { readNonce } from './nonce.ts';

readNonce();

// After an upgrade the parts of the pages before are gone: what is asked for then is in the page of now.
addEventListener('vite:preloadError', () => location.reload());

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
