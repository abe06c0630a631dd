declare module 'virtual:words/*';
