-- A device that starts again updates both rows. With room on the page, an update that changes no indexed column writes no index.
ALTER TABLE "attribution"."contacts" SET (fillfactor = 90);
ALTER TABLE "attribution"."devices" SET (fillfactor = 90);
