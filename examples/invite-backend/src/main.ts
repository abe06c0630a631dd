// Starts the backend. It prints its emails: put your own sender here.
import { Landfall } from '@landfall/node';
import { inviteBackend } from './invite-backend.ts';

const { LANDFALL_URL = 'http://localhost:8080', LANDFALL_KEY = '', PORT = '3000' } = process.env;
const landfall = new Landfall({ url: LANDFALL_URL, key: LANDFALL_KEY });
const server = inviteBackend(landfall, async ({ to, text }) => console.log(`To ${to}: ${text}`));
server.listen(Number(PORT), () => console.log(`POST http://localhost:${PORT}/invitations`));
