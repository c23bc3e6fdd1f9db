module reader {
    requires words;
}
