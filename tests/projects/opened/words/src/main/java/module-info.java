module words {
    exports words;
    opens words;
}
