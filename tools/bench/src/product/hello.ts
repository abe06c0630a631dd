// The reference for all comparisons: the smallest Express server, in a process of its own.
import type { AddressInfo } from 'node:net';
import express from 'express';

const app = express();
app.get('/', (_req, res) => {
  res.send('hello');
});
const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
// The server ends with its parent process, however the parent ends.
process.on('disconnect', () => process.exit());
